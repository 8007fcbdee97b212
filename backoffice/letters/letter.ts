import type { LetterFacts } from './facts.ts';
import type { LetterWords } from './words/letter_words.ts';

/** A part of a letter under its heading. */
export interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** The texts of a letter of this kind. */
export interface LetterTexts {
  readonly lead: string;
  readonly sections: readonly Section[];
}

/** A letter's content, and its words. */
export interface Told extends LetterFacts {
  readonly words: LetterWords;
}
