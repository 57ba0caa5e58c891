// The colours of source: keywords, strings, numbers, comments. Nothing is known of a language but its
// words, so that what is not one of them stays plain.

const WORDS = {
  java: "abstract assert boolean break byte case catch char class const continue default do double else " +
    "enum extends final finally float for if implements import instanceof int interface long native new " +
    "package private protected public record return sealed short static strictfp super switch " +
    "synchronized this throw throws transient try var void volatile while yield true false null",
  rad: "acquire after and assert assume atomic await bool break by channel choose const continue do else " +
    "enum false for if in init int invariant label lock monitor none not notify notifyAll null once or " +
    "process protected receive release return self semaphore send shared skip start struct synchronized " +
    "then thread true unsafe up down var wait while with",
  cbp: "abort assume atomic_begin atomic_end broadcast constrain dead decl do else end enforce fi goto if " +
    "main od return schoose skip start_thread then void wait while bool signal thread_goto begin F T",
};

/** The lines of a file, in pieces with colours; as a function of the index of a line. */
function coloured(lines, name) {
  const ending = name.split(".").at(-1);
  const words = WORDS[ending];
  if (!words) return (index) => [lines[index] || " "];
  const keywords = new Set(words.split(" "));
  // Which lines begin inside a comment has to be known before any of them is shown.
  const inside = [];
  let isInside = false;
  for (const line of lines) {
    inside.push(isInside);
    isInside = pieces(line, isInside).isInside;
  }
  return (index) => {
    const found = pieces(lines[index], inside[index]).found.map(([kind, text]) => {
      const isWord = kind === "word" && keywords.has(text);
      const shown = isWord ? "keyword" : kind === "word" ? null : kind;
      return shown ? make("span", { class: `code-${shown}` }, text) : text;
    });
    return found.length > 0 ? found : [" "];
  };
}

/** A line in pieces, and whether a comment goes on behind it. */
function pieces(line, isInside) {
  const found = [];
  let rest = line;
  const take = (kind, length) => {
    found.push([kind, rest.slice(0, length)]);
    rest = rest.slice(length);
  };
  const endOf = () => {
    const end = rest.indexOf("*/");
    return end < 0 ? null : end + 2;
  };
  while (rest.length > 0) {
    if (isInside) {
      const end = endOf();
      isInside = end === null;
      take("comment", end ?? rest.length);
    } else if (rest.startsWith("//")) take("comment", rest.length);
    else if (rest.startsWith("/*")) isInside = true;
    else {
      const match = /^(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/u.exec(rest);
      const word = /^@?[\p{L}_$][\p{L}\p{N}_$]*/u.exec(rest);
      const number = /^\d[\w.]*/u.exec(rest);
      const other = /^[^"'\p{L}\p{N}_$@/]+/u.exec(rest);
      if (match) take("string", match[0].length);
      else if (word) take(word[0].startsWith("@") ? "annotation" : "word", word[0].length);
      else if (number) take("number", number[0].length);
      else take(null, other ? other[0].length : 1);
    }
  }
  return { found, isInside };
}
