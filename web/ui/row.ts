/** A name and its value, for a list of rows. */
export interface Row {
  readonly name: string;
  readonly value: string;
  readonly isStrong?: boolean;
}
