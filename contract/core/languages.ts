import { Closed, Text } from './schema.ts';

/** A text in both languages of the hosted pages. */
export const InBothLanguages = (maxLength: number, description?: string) =>
  Closed({ en: Text(maxLength, 'English'), es: Text(maxLength, 'Spanish') }, description);
