import { Stack, Text } from '@mantine/core';
import type { Preview } from './use_move.ts';

type Letter = NonNullable<Preview['letter']>;

/** Paragraphs may be alike, so each has its place too. */
const paragraphs = (texts: readonly string[]) =>
  texts.map((text, at) => (
    <Text key={`${String(at)} ${text}`} size="sm" className="wrapped">
      {text}
    </Text>
  ));

/** The letter that the customer would get, before anybody has decided. */
export const LetterPreview = ({ letter }: { readonly letter: Letter }) => (
  <section aria-label="Letter to the customer" className="letter">
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        The customer would read this
      </Text>
      <Text size="sm">{[...letter.sender, letter.date].join(' · ')}</Text>
      <Text fw={600}>{letter.title}</Text>
      {paragraphs([`Dear ${letter.customer},`, letter.lead])}
      {letter.sections.map(({ heading, paragraphs: texts }) => (
        <Stack key={heading} gap={4}>
          <Text size="sm" fw={600}>
            {heading}
          </Text>
          {paragraphs(texts)}
        </Stack>
      ))}
      {paragraphs(letter.closing)}
    </Stack>
  </section>
);
