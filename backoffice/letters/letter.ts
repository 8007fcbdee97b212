/** A part of a letter under its heading. */
export interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** What is said in a letter of this kind. */
export interface LetterTexts {
  readonly lead: string;
  readonly sections: readonly Section[];
}
