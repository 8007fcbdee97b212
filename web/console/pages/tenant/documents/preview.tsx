import '../../../../staff/usual.ts';
import { Button, Group, Stack, Text } from '@mantine/core';
import {
  createElement,
  Fragment,
  memo,
  type ReactElement,
  useDeferredValue,
  useState,
} from 'react';
import { tokensOf } from '../../../../ui/markdown/read_markdown.ts';
import { markdownBy } from '../../../../ui/markdown/render_markdown.ts';
import type { Draft } from './use_publish.ts';

const partsOf = markdownBy<ReactElement>(createElement, 'className');

/** A text in Markdown, made as the hosted pages make it (rules/documents#16). */
const Markdown = memo(({ text }: { readonly text: string }) =>
  createElement(Fragment, null, ...partsOf(tokensOf(text))),
);

const languages = [
  ['en', 'English'],
  ['es', 'Spanish'],
] as const;

/** The new version as a customer will read it. */
export function Preview({ title, text }: Pick<Draft, 'title' | 'text'>) {
  const [chosen, setChosen] = useState<'en' | 'es'>('en');
  const shown = useDeferredValue(text[chosen]);
  return (
    <Stack gap="xs" component="section" aria-label="Preview">
      <Group gap="xs" role="group" aria-label="Language of the preview">
        <Text size="sm" fw={600}>
          As a customer will read it
        </Text>
        {languages.map(([key, name]) => (
          <Button
            key={key}
            size="compact-sm"
            variant={key === chosen ? 'light' : 'default'}
            aria-pressed={key === chosen}
            onClick={() => setChosen(key)}
          >
            {name}
          </Button>
        ))}
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (WCAG 2.1.1) */}
      <section className="legal-text" lang={chosen} tabIndex={0} aria-label="Text of the preview">
        <p className="legal-title">{title[chosen] || 'No title yet'}</p>
        <Markdown text={shown} />
      </section>
    </Stack>
  );
}
