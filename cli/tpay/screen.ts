/** The actions of keys; Ctrl-C ends as ever. */
export type Keys = Readonly<Record<string, () => void>>;

/** A terminal that one program has to itself. */
export interface Screen {
  write(text: string): void;
  size(): { readonly columns: number; readonly rows: number };
  /** @returns what ends it */
  onResize(listener: () => void): () => void;
  /** @returns what ends it */
  readKeys(keys: Keys): () => void;
}
