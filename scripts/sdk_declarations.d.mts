/** The declarations of an entry of an SDK as one file; see sdk_declarations.mjs. */
export function declarationsOf(of: {
  readonly folder: string;
  readonly entry: string;
  readonly entries: readonly string[];
}): Promise<string>;
