import bidiFactory from 'bidi-js';

/** A part of a text with one direction. */
export interface Run {
  readonly text: string;
  readonly isRightToLeft: boolean;
}

interface Levelled extends Run {
  readonly level: number;
}

const bidi = bidiFactory();

function runsOf(text: string): Levelled[] {
  const found = bidi.getEmbeddingLevels(text, 'ltr');
  const mirrored = bidi.getMirroredCharactersMap(text, found);
  const runs: { text: string; level: number; isRightToLeft: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const level = found.levels[at] ?? 0;
    const letter = mirrored.get(at) ?? text.charAt(at);
    const run = runs.at(-1);
    if (run?.level === level) run.text += letter;
    else runs.push({ text: letter, level, isRightToLeft: level % 2 === 1 });
  }
  return runs;
}

/** The runs of a line from left to right (UAX #9, rule L2). Each is shaped by its own direction. */
export function inVisualOrder(text: string): readonly Run[] {
  const runs = runsOf(text);
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1)
    for (let start = 0; start < runs.length; start += 1) {
      let end = start;
      while ((runs[end]?.level ?? 0) >= level) end += 1;
      if (end > start) runs.splice(start, end - start, ...runs.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  return runs;
}
