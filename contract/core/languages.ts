import { Closed, Readable } from './schema.ts';

/** A text in both languages of the hosted pages. */
export const InBothLanguages = (maxLength: number, description?: string) =>
  Closed({ en: Readable(maxLength, 'English'), es: Readable(maxLength, 'Spanish') }, description);
