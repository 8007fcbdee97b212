/** The part of bidi-js that is used; the package has no types. */
declare module 'bidi-js' {
  interface Levels {
    readonly levels: Uint8Array;
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl'): Levels;
    /** Characters that look the other way from right to left, by their place. */
    getMirroredCharactersMap(text: string, levels: Levels): Map<number, string>;
  }
  export default function bidiFactory(): Bidi;
}
