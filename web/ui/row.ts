/** A name and its value, as they stand under each other. */
export interface Row {
  readonly name: string;
  readonly value: string;
  readonly isStrong?: boolean;
}
