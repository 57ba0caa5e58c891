//! Steps in the words of the source.

use crate::effects::Thing;
use crate::interpreter::{Interpreter, Resolution, State};
use crate::program::{Action, Value, Variable};
use crate::unsafety::Population;
use raddle_model::{Event, Halt, Move, Narrate, Object, Operation, Place, System, Thread};

impl Narrate for Interpreter {
    /// `Ti` if there is only one, `Env[2]` for the third one of its type.
    fn thread_name(&self, state: &State, thread: Thread) -> String {
        if thread.index() >= self.threads(state) {
            return "a new thread".to_owned();
        }
        let type_of = |thread| self.program.point(self.point(state, thread)).thread;
        let own = &self.program.types[type_of(thread)];
        if own.is_single {
            return own.name.clone();
        }
        let earlier = (0..thread.0).map(Thread);
        let number = earlier.filter(|&it| type_of(it) == type_of(thread)).count();
        format!("{}[{number}]", own.name)
    }

    fn object_name(&self, state: &State, object: Object) -> String {
        match self.effects.thing(object) {
            Thing::Global(index) => self.program.globals[index].clone(),
            Thing::Lock(index) => self.program.locks[index].clone(),
            Thing::Message(index) => self.program.messages[index].clone(),
            Thing::Channel(index) => {
                let message = self.program.channels[index].message;
                self.program.messages[message].clone()
            }
            Thing::Population(index) => match self.effects.population(index) {
                Population::Label(label) => self.program.labels[label].name.clone(),
                Population::Type(thread) => self.program.types[thread].name.clone(),
            },
            Thing::Thread(thread) => self.thread_name(state, thread),
        }
    }

    fn next_place(&self, state: &State, thread: Thread) -> Option<Place> {
        let point = self.program.point(self.point(state, thread));
        match point.action {
            Action::End => None,
            _ => Some(point.place),
        }
    }

    fn narrate(&self, state: &mut State, step: Move, events: &mut Vec<Event>) -> Result<(), Halt> {
        let Move { thread, choice } = step;
        let before = state.clone();
        let resolution = self.resolution(&before, thread, choice);
        let result = self.step(state, thread, choice);
        let mut teller = Teller {
            interpreter: self,
            before: &before,
            after: state,
            thread,
            place: self.next_place(&before, thread),
            events,
        };
        teller.tell(resolution);
        result
    }

    fn shared_values(&self, state: &State) -> Vec<(String, String)> {
        let globals = self.program.globals.iter().enumerate();
        let globals = globals.map(|(index, name)| {
            let value = self.read(state, Thread(0), Variable::Global(index));
            (name.clone(), value.to_string())
        });
        let locks = self.program.locks.iter().enumerate().map(|(index, name)| {
            let value = match self.owner(state, index) {
                None => "free".to_owned(),
                Some(owner) => format!("held by {}", self.thread_name(state, owner)),
            };
            (name.clone(), value)
        });
        globals.chain(locks).collect()
    }
}

/// Tells what a step did.
struct Teller<'a> {
    interpreter: &'a Interpreter,
    before: &'a State,
    after: &'a State,
    thread: Thread,
    place: Option<Place>,
    events: &'a mut Vec<Event>,
}

impl Teller<'_> {
    fn add(&mut self, object: String, operation: Option<Operation>, value: Option<String>) {
        self.events.push(Event {
            place: self.place,
            object,
            operation,
            value,
            ..Event::default()
        });
    }

    fn plain(&mut self, what: &str, value: String) {
        self.add(what.to_owned(), None, Some(value));
    }

    fn name_of(&self, thread: Thread) -> String {
        self.interpreter.thread_name(self.after, thread)
    }

    fn variable_name(&self, variable: Variable) -> String {
        let program = self.interpreter.program();
        let point = self.interpreter.point(self.before, self.thread);
        match variable {
            Variable::Global(index) => program.globals[index].clone(),
            Variable::Local(index) => {
                let locals = &program.types[program.point(point).thread].locals;
                locals[index].clone()
            }
        }
    }

    fn reads(&mut self, values: &[Value]) {
        for variable in values.iter().filter_map(|it| it.variable()) {
            let value = self.interpreter.read(self.before, self.thread, variable);
            let name = self.variable_name(variable);
            let event = (Some(Operation::Read), Some(value.to_string()));
            let known = self.events.iter();
            let mut known = known.filter(|it| it.operation == event.0);
            if !known.any(|it| it.object == name) {
                self.add(name, event.0, event.1);
            }
        }
    }

    fn writes(&mut self, variable: Variable) {
        let name = self.variable_name(variable);
        let value = self.interpreter.read(self.after, self.thread, variable);
        self.add(name, Some(Operation::Write), Some(value.to_string()));
    }

    fn tell(&mut self, resolution: Resolution) {
        let program = self.interpreter.program();
        let point = self.interpreter.point(self.before, self.thread);
        match &program.point(point).action {
            Action::Alternatives(ways) => {
                let Resolution::Alternative(chosen) = resolution else {
                    return;
                };
                let way = &ways[chosen];
                let possible = self.interpreter.possible(self.before, self.thread, ways);
                if possible.count() > 1 {
                    self.plain("takes", format!("way {} of {}", chosen + 1, ways.len()));
                }
                self.reads(way.guard.values());
                let values: Vec<Value> = way.assignments.iter().map(|it| it.1).collect();
                self.reads(&values);
                for &(variable, _) in &way.assignments {
                    self.writes(variable);
                }
            }
            Action::Lock { lock, .. } => {
                self.add(program.locks[*lock].clone(), Some(Operation::Acquire), None);
            }
            Action::Relock { lock, .. } => {
                let lock = program.locks[*lock].clone();
                self.add(lock, Some(Operation::WaitResume), None);
            }
            Action::Unlock { lock, .. } => {
                self.add(program.locks[*lock].clone(), Some(Operation::Release), None);
            }
            Action::Sleep { message, lock, .. } => {
                self.add(program.locks[*lock].clone(), Some(Operation::Release), None);
                self.plain("sleeps until", program.messages[*message].clone());
            }
            Action::Wakeup { message, .. } => {
                let message = program.messages[*message].clone();
                self.add(message, Some(Operation::Notify), None);
                if let Resolution::With(woken) = resolution {
                    self.plain("wakes", self.name_of(woken));
                }
            }
            Action::WakeupAll { message, .. } => {
                let message = program.messages[*message].clone();
                self.add(message, Some(Operation::NotifyAll), None);
                for woken in self.interpreter.partners(self.before, self.thread) {
                    self.plain("wakes", self.name_of(woken));
                }
            }
            Action::Start { .. } => {
                let started = Thread(self.interpreter.threads(self.before) as u32);
                self.add(self.name_of(started), Some(Operation::Start), None);
            }
            Action::Rendezvous {
                channel, values, ..
            } => {
                let message = program.channels[*channel].message;
                let message = program.messages[message].clone();
                let values = values.iter().map(|&it| {
                    self.interpreter
                        .evaluate(self.before, self.thread, it)
                        .to_string()
                });
                let values: Vec<String> = values.collect();
                match values[..] {
                    [] => self.plain("comes to the rendezvous", message),
                    _ => self.add(message, Some(Operation::Send), Some(values.join(", "))),
                }
                if let Resolution::With(partner) = resolution {
                    self.plain("meets", self.name_of(partner));
                }
            }
            Action::Assert { condition, .. } => self.reads(condition),
            Action::Choose { variable, .. } => self.writes(*variable),
            Action::Wait { .. } | Action::Accept { .. } | Action::Failed | Action::End => {}
        }
    }
}
