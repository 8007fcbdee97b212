import { Modal, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { isSandbox } from '../api/environment.ts';
import { useSession } from '../api/session.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { isMeant, type Sources, waysFor } from './choices.ts';
import type { PaletteProps } from './opener.tsx';
import { FoundRecord, recentRecord } from './records.tsx';

/** One line of the palette: it leads to an address. */
interface Choice {
  readonly key: string;
  readonly path: string;
  readonly group: string;
  readonly shown: ReactNode;
}

const few = 6;
const debounceMs = 150;

/** Records as they are found while one types. */
function useFound({ search, pathOf }: Sources, text: string) {
  const [asked] = useDebouncedValue(text, debounceMs);
  const { data, error, isFetching } = useQuery({
    queryKey: ['palette', asked],
    queryFn: ({ signal }) => search(asked, signal),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const hits = text === '' ? [] : (data ?? []);
  const choices = hits.map(
    (hit): Choice => ({
      key: `${hit.tenant_id ?? ''} ${hit.id}`,
      path: pathOf(hit),
      group: 'Records',
      shown: <FoundRecord hit={hit} />,
    }),
  );
  return { choices, error, isBusy: text !== '' && (isFetching || asked !== text) };
}

/**
 * The choices: pages where one was before, ways that match the text, and records that were found.
 */
function useChoices({ sources, groups, recents: kept }: BoxProps, text: string) {
  const ways = waysFor(useSession(), groups, sources, isSandbox);
  const { pathname } = useLocation();
  const found = useFound(sources, text);
  const named = (path: string): ReactNode =>
    ways.find((way) => way.group === 'Pages' && way.path === path)?.name ?? recentRecord(path);
  const recents = kept.flatMap((path): Choice[] => {
    const shown = path === pathname ? null : named(path);
    return shown === null ? [] : [{ key: `recent ${path}`, path, group: 'Recent', shown }];
  });
  const offered = ways
    .filter(({ words, group }) => (text === '' ? group === 'Actions' : isMeant(text, words)))
    .map(
      ({ name, path, group }): Choice => ({ key: `${group} ${name}`, path, group, shown: name }),
    );
  const local = text === '' ? [...recents.slice(0, few), ...offered] : offered;
  return { ...found, choices: [...local, ...found.choices] };
}

interface BoxProps extends Omit<PaletteProps, 'isOpen'> {
  readonly sources: Sources;
}

/** Everything that can be opened, by what is typed of it. */
export const PaletteDialog = ({ isOpen, ...box }: BoxProps & Pick<PaletteProps, 'isOpen'>) => (
  <Modal.Root opened={isOpen} onClose={box.onClose} size="lg" yOffset="10vh">
    <Modal.Overlay />
    <Modal.Content aria-label="Search">
      <Modal.Body p={0}>
        <Box {...box} />
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);

/** Moves by keys, ending where one began. */
const moved = (key: string, at: number, count: number): number | null => {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'PageDown') return Math.min(at + few, count - 1);
  if (key === 'PageUp') return Math.max(at - few, 0);
  return null;
};

function Box(props: BoxProps) {
  const { sources, onClose } = props;
  const id = useId();
  const { history, basepath } = useRouter();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const text = typed.trim();
  const { choices, error, isBusy } = useChoices(props, text);
  const active = choices[Math.min(at, choices.length - 1)];
  const go = ({ path }: Choice) => {
    onClose();
    history.push(`${basepath}${path}`);
  };
  const press = (event: KeyboardEvent) => {
    const next = moved(event.key, choices.indexOf(active as Choice), choices.length);
    if (next !== null) {
      event.preventDefault();
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) {
      event.preventDefault();
      go(active);
    }
  };
  return (
    <>
      <input
        className="palette-field"
        role="combobox"
        aria-label="Search"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active && `${id}-${choices.indexOf(active)}`}
        placeholder={sources.hint}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      {error && <Trouble error={error} />}
      <Listbox id={id} choices={choices} active={active} onPoint={setAt} onGo={go} />
      <Text role="status" size="sm" c="dimmed" p="sm" className="palette-status">
        {said(text, choices.length, isBusy)}
      </Text>
    </>
  );
}

function said(text: string, count: number, isBusy: boolean): string {
  if (isBusy) return 'Searching …';
  if (text === '') return 'Arrow keys choose, Enter opens, Esc closes';
  if (count === 0) return `No results for “${text}”. Try a name, an amount or the end of an id.`;
  return count === 1 ? '1 result' : `${count} results`;
}

interface ListboxProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly active: Choice | undefined;
  readonly onPoint: (at: number) => void;
  readonly onGo: (choice: Choice) => void;
}

function Listbox({ id, choices, active, onPoint, onGo }: ListboxProps) {
  const groups = [...new Set(choices.map(({ group }) => group))];
  return (
    <div role="listbox" id={`${id}-list`} aria-label="Results" className="palette-list">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div role="group" key={group} aria-labelledby={`${id}-${group}`}>
          <div className="palette-group" id={`${id}-${group}`} role="presentation">
            {group}
          </div>
          {choices.map(
            (choice, at) =>
              choice.group === group && (
                // The field has the focus: keys choose there, the pointer here.
                // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: as the pattern of a combobox asks
                <div
                  key={choice.key}
                  role="option"
                  id={`${id}-${at}`}
                  aria-selected={choice === active}
                  className="palette-option"
                  onPointerMove={() => onPoint(at)}
                  onClick={() => onGo(choice)}
                >
                  {choice.shown}
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  );
}
