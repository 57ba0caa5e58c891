//! What a system says about permissions to access variables, tried out.
//!
//! Whether the program keeps to its claims is no matter here. What has to be true is what
//! the searches rely on that check them:
//! - A permission that is not conditional depends on the locks that a thread holds: nobody
//!   gives it to another thread or takes it away, and no two threads have it.
//! - A step changes permissions by its influence only, and its influence is the same
//!   whatever the others do before it.
//! - A variable that two threads may have permission to access is said to be exclusive, for
//!   only of those it is checked; and permissions of that sort have an object that stands for
//!   them, which is nothing else.
//! - What only one thread can have met is touched by no other, and no other changes that.

use super::Promise;
use super::claims::{Lie, Outlook, Scene, name};
use crate::protection::is_data;
use raddle_model::{Footprint, Influence, Object, Permission, Status, System, Thread};
use std::collections::BTreeSet;

impl<S: System> Scene<'_, S> {
    /// Checks what is said about permissions in the state itself.
    pub(super) fn check_permissions(&self) -> Result<(), Lie> {
        let exclusive = self.exclusive(self.state);
        for &object in &exclusive {
            if !self.system.is_conditional(object) {
                return lie(format!("{} is exclusive, on no condition", name(object)));
            }
            if self.threads_with(self.state, object, is_claimed) != self.threads.len() {
                return lie(format!("{} is exclusive, not for all", name(object)));
            }
        }
        for object in self.lasting_variables(self.state) {
            self.check_owners(object, exclusive.contains(&object))?;
        }
        self.check_unshared()?;
        match self.system.permissions() {
            Some(permissions) => self.check_that_nobody_touches(permissions),
            None => Ok(()),
        }
    }

    /// Checks that what belongs to a thread alone is of no concern to the others.
    fn check_unshared(&self) -> Result<(), Lie> {
        for owner in &self.threads {
            let is_own = |state: &S::State, object| {
                let is_own = self.system.is_unshared(state, object, owner.thread);
                is_own.then(|| self.system.instance(state, object))
            };
            let accesses = owner.footprint.accesses().iter();
            for object in accesses.map(|access| access.object) {
                let Some(instance) = is_own(self.state, object) else {
                    continue;
                };
                let touches = |object| self.system.instance(self.state, object) == instance;
                for other in self.threads.iter().filter(|it| it.thread != owner.thread) {
                    let mut theirs = other.footprint.accesses().iter();
                    let is_met = theirs.any(|access| touches(access.object));
                    let mut after = other.successors();
                    if is_met || after.any(|next| is_own(next, object) != Some(instance)) {
                        let (one, two) = (owner.thread.0, other.thread.0);
                        return lie(format!(
                            "{} belongs to thread {one} alone, and thread {two} has met it",
                            name(object)
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks that a state says the same of permissions as another one with the same form.
    pub(super) fn check_permissions_of_form(&self, copy: &S::State) -> Result<(), Lie> {
        let lasting = self.lasting_variables(self.state);
        for thread in self.threads.iter().map(|outlook| outlook.thread) {
            let says = |state: &S::State| {
                let permission = |&object: &Object| self.system.permission(state, object, thread);
                let permissions: Vec<Permission> = lasting.iter().map(permission).collect();
                (self.system.influence(state, thread), permissions)
            };
            if says(copy) != says(self.state) {
                let what = format!("thread {} has other permissions", thread.0);
                return Err((Promise::Form, what));
            }
        }
        Ok(())
    }

    /// Checks who has permission to access a variable.
    fn check_owners(&self, object: Object, is_exclusive: bool) -> Result<(), Lie> {
        let is_granted = |permission| permission == Permission::Granted;
        let owners = self.threads_with(self.state, object, is_granted);
        if owners > 1 && !is_exclusive {
            let what = "is granted to two threads, which would go unnoticed";
            return lie(format!("{} {what}", name(object)));
        }
        if self.system.is_conditional(object) {
            return match self.system.permissions() {
                Some(_) => Ok(()),
                None => lie(format!("nothing stands for that of {}", name(object))),
            };
        }
        for outlook in &self.threads {
            let thread = outlook.thread;
            let permission = self.system.permission(self.state, object, thread);
            if is_granted(permission) && self.held(self.state, thread).is_empty() {
                let (object, number) = (name(object), thread.0);
                return lie(format!(
                    "{object} is granted to thread {number} without a lock"
                ));
            }
        }
        Ok(())
    }

    fn check_that_nobody_touches(&self, permissions: Object) -> Result<(), Lie> {
        for outlook in &self.threads {
            let mut accesses = outlook.footprint.accesses().iter();
            let future = outlook.future.as_ref();
            let operations = future.map(|future| future.on(permissions.region));
            if accesses.any(|access| access.object.region == permissions.region)
                || operations.is_some_and(|operations| operations.iter().next().is_some())
            {
                let number = outlook.thread.0;
                return lie(format!("thread {number} touches what stands for them"));
            }
        }
        Ok(())
    }

    /// Checks what a step of a thread does to permissions.
    pub(super) fn check_permissions_after(
        &self,
        outlook: &Outlook<S::State>,
        next: &S::State,
    ) -> Result<(), Lie> {
        let mover = outlook.thread;
        let influence = self.system.influence(self.state, mover);
        let (before, after) = (self.exclusive(self.state), self.exclusive(next));
        let lasting = self.lasting_variables(next);
        let by = format!("by a step of thread {} ({influence:?})", mover.0);
        for thread in (0..self.system.threads(next) as u32).map(Thread) {
            let number = thread.0;
            let footprint = self.footprint(next, thread);
            let known = self.threads.get(thread.index());
            if let Some(known) = known.filter(|it| it.thread != mover) {
                if self.system.influence(next, thread) != self.system.influence(self.state, thread)
                {
                    return lie(format!("the influence of thread {number} changes {by}"));
                }
                for object in common_variables(known, outlook, &footprint) {
                    self.check_change(object, thread, next, outlook)?;
                }
            }
            for &object in &lasting {
                self.check_change(object, thread, next, outlook)?;
            }
            for &object in &after {
                // What was not there before was nobody's.
                let is_new = !before.contains(&object) && !self.system.is_permanent(object);
                let granted = self.system.permission(next, object, thread) == Permission::Granted;
                match is_new {
                    true if granted && influence != Influence::Gives => {
                        let object = name(object);
                        return lie(format!("a new {object} is given to thread {number} {by}"));
                    }
                    true => {}
                    false => self.check_change(object, thread, next, outlook)?,
                }
            }
        }
        Ok(())
    }

    /// Checks what a step does to the permission of a thread to access a variable.
    fn check_change(
        &self,
        object: Object,
        thread: Thread,
        next: &S::State,
        outlook: &Outlook<S::State>,
    ) -> Result<(), Lie> {
        let (mover, number) = (outlook.thread, thread.0);
        let before = match thread.index() < self.threads.len() {
            true => self.system.permission(self.state, object, thread),
            // Who was not there before had none.
            false => Permission::Denied,
        };
        let after = self.system.permission(next, object, thread);
        let is_new = thread.index() >= self.threads.len();
        if before == after || is_new && !is_claimed(after) {
            return Ok(());
        }
        let influence = self.system.influence(self.state, mover);
        let told = |what: &str| {
            let (object, by) = (name(object), mover.0);
            let change = format!("that of thread {number} to access {object} is {after:?}");
            lie(format!(
                "{change} {what}, by a step of thread {by} ({influence:?})"
            ))
        };
        // Claims that are not about an exclusive variable are about a lock, beside who
        // initialises it, and locks influence them without being said to. Who has finished
        // needs none.
        let is_exclusive = self.exclusive(self.state).contains(&object);
        let is_own = || {
            self.held(self.state, thread) != self.held(next, thread)
                || self.system.status(next, thread) == Status::Done
        };
        if !is_exclusive && thread == mover && is_own() {
            return Ok(());
        }
        if !self.system.is_conditional(object) {
            return told("although no lock is taken or given back");
        }
        let takes = before == Permission::Granted && after == Permission::Denied;
        match influence {
            Influence::Gives => Ok(()),
            Influence::Takes if takes => Ok(()),
            // Only its own, and nobody else has it.
            Influence::None if takes && thread == mover => {
                let is_granted = |permission| permission == Permission::Granted;
                match self.threads_with(self.state, object, is_granted) == 1
                    && self.threads_with(next, object, is_granted) == 0
                {
                    true => Ok(()),
                    false => told("and others have it"),
                }
            }
            _ => told(&format!("after {before:?}")),
        }
    }

    /// How many threads have such a permission to access a variable.
    fn threads_with(
        &self,
        state: &S::State,
        object: Object,
        is_such: impl Fn(Permission) -> bool,
    ) -> usize {
        let threads = (0..self.system.threads(state) as u32).map(Thread);
        let permissions = threads.map(|thread| self.system.permission(state, object, thread));
        permissions.filter(|&it| is_such(it)).count()
    }

    fn exclusive(&self, state: &S::State) -> Vec<Object> {
        let mut exclusive = Vec::new();
        self.system.exclusive(state, &mut exclusive);
        exclusive
    }

    /// The variables with lasting names of which something is claimed, as far as they were
    /// seen, here or anywhere before.
    fn lasting_variables(&self, state: &S::State) -> BTreeSet<Object> {
        let mut variables = self.seen.clone();
        self.see(state, &mut variables);
        variables
    }

    /// Adds the variables that somebody is about to access in a state, and the exclusive ones.
    pub(super) fn see(&self, state: &S::State, variables: &mut BTreeSet<Object>) {
        let mut found = self.exclusive(state);
        for thread in (0..self.system.threads(state) as u32).map(Thread) {
            let accessed = self.data(&self.footprint(state, thread));
            found.extend(accessed.into_iter().filter(|&object| {
                self.system.is_conditional(object)
                    || self.system.permission(state, object, thread) != Permission::Unsaid
            }));
        }
        found.retain(|&object| self.system.is_permanent(object));
        variables.extend(found);
    }

    fn data(&self, footprint: &Footprint) -> Vec<Object> {
        let accesses = footprint.accesses().iter();
        let data = accesses.filter(|&&access| is_data(self.system, self.state, access));
        data.map(|access| access.object).collect()
    }
}

/// The variables that a thread is about to access before and after a step of another one,
/// which does not access them. They mean the same then, even those on the heap: a name that
/// somebody was about to give would be another one after somebody else gave it.
fn common_variables<T>(thread: &Outlook<T>, mover: &Outlook<T>, after: &Footprint) -> Vec<Object> {
    let touches = |footprint: &Footprint, object: Object| {
        let mut accesses = footprint.accesses().iter();
        accesses.any(|access| access.object == object)
    };
    let before = thread.footprint.accesses().iter();
    let objects = before.map(|access| access.object);
    objects
        .filter(|&object| touches(after, object) && !touches(&mover.footprint, object))
        .collect()
}

/// Whether something is claimed that can be wrong.
fn is_claimed(permission: Permission) -> bool {
    matches!(permission, Permission::Granted | Permission::Denied)
}

fn lie<T>(what: String) -> Result<T, Lie> {
    Err((Promise::Permissions, what))
}
