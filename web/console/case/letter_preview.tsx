import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Facts } from '../../staff/parts/facts.tsx';
import { dayInWords } from '../../ui/dates.ts';
import type { Preview } from './use_move.ts';

type Letter = NonNullable<Preview['letter']>;

/** Paragraphs may be alike, so each has its place too. */
const paragraphs = (texts: readonly string[]) =>
  texts.map((text, at) => (
    <Text key={`${String(at)} ${text}`} size="sm" className="wrapped">
      {text}
    </Text>
  ));

/** The letter that the customer would get, before anybody has decided, in both its languages. */
export function LetterPreview({ letter }: { readonly letter: Letter }) {
  const [chosen, setChosen] = useState<'en' | 'es'>('en');
  const words = chosen === 'en' ? letter : letter.in_spanish;
  return (
    <section aria-label="Letter to the customer" className="letter">
      <Stack gap="xs">
        <Group gap="xs" role="group" aria-label="Language of the letter">
          <Text size="xs" c="dimmed">
            The customer would read this
          </Text>
          <Language name="English" isChosen={chosen === 'en'} onChoose={() => setChosen('en')} />
          <Language name="Spanish" isChosen={chosen === 'es'} onChoose={() => setChosen('es')} />
        </Group>
        <Text size="sm">{[...letter.sender, dayInWords(letter.date, chosen)].join(' · ')}</Text>
        <Words words={words} language={chosen} />
      </Stack>
    </section>
  );
}

interface LanguageProps {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

const Language = ({ name, isChosen, onChoose }: LanguageProps) => (
  <Button
    size="compact-xs"
    variant={isChosen ? 'light' : 'default'}
    aria-pressed={isChosen}
    onClick={onChoose}
  >
    {name}
  </Button>
);

interface WordsProps {
  readonly words: Letter['in_spanish'];
  readonly language: string;
}

const Words = ({ words, language }: WordsProps) => (
  <Stack gap="xs" lang={language}>
    <Text fw={600}>{words.title}</Text>
    {paragraphs([words.greeting, words.lead])}
    <Facts rows={words.subject.map(({ name, value }) => [name, value])} />
    {words.sections.map(({ heading, paragraphs: texts }) => (
      <Stack key={heading} gap={4}>
        <Text size="sm" fw={600}>
          {heading}
        </Text>
        {paragraphs(texts)}
      </Stack>
    ))}
    {paragraphs(words.closing)}
  </Stack>
);
