import { Button, Group, Menu, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failedBy, unreachable } from '../api/call.ts';
import { useTenant } from '../api/queries.ts';
import { scopeHeaders } from '../api/shown.ts';
import { useProven } from '../api/step_up.tsx';
import { useKept } from './kept.ts';
import type { ListOrder } from './list_table.tsx';
import { Trouble } from './trouble.tsx';

/** A list as somebody has named it: its filters and the columns that it hides. */
interface View {
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
}

const noViews: readonly View[] = [];
const longestName = 60;

interface ToolsProps {
  /** The list's name in its address. */
  readonly list: string;
  /** The columns that can be hidden. */
  readonly columns: readonly string[];
  readonly hidden: readonly string[];
  readonly onHide: (hidden: readonly string[]) => void;
  readonly filters: Readonly<Record<string, string>>;
  /** Puts these filters in the place of those that hold. */
  readonly onFilters: (filters: Readonly<Record<string, string>>) => void;
  /** The address of the list as a file. */
  readonly file: string | null;
  readonly turn?: ListOrder | undefined;
}

/** The tools of a whole list: named views, the choice of columns, its file. */
export function ListTools({ columns, hidden, onHide, file, turn, ...rest }: ToolsProps) {
  return (
    <Group gap="xs">
      {turn && (
        <Button size="xs" variant="default" hiddenFrom="sm" onClick={turn.onTurn}>
          {turn.isOldest ? 'Newest first' : 'Oldest first'}
        </Button>
      )}
      <Views hidden={hidden} onHide={onHide} {...rest} />
      <Menu closeOnItemClick={false} position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default">
            Columns
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {columns.map((name) => {
            const isHidden = hidden.includes(name);
            const others = hidden.filter((one) => one !== name);
            return (
              <Menu.Item
                key={name}
                aria-label={`${isHidden ? 'Show' : 'Hide'} ${name}`}
                rightSection={
                  <Text size="xs" c="dimmed">
                    {isHidden ? 'hidden' : 'shown'}
                  </Text>
                }
                onClick={() => onHide(isHidden ? others : [...others, name])}
              >
                {name}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
      {file !== null && <File address={file} name={`${rest.list}.csv`} />}
    </Group>
  );
}

interface FileProps {
  readonly address: string;
  readonly name: string;
}

async function fileAt(address: string, tenantId: string | null): Promise<Blob> {
  const headers = scopeHeaders(tenantId);
  const reply = await fetch(address, { credentials: 'same-origin', headers }).catch(() => {
    throw unreachable();
  });
  if (!reply.ok) throw await failedBy(reply);
  return reply.blob().catch(() => {
    throw new Error('The file could not be read. Try again in a moment.');
  });
}

/** The list as a file. A link could not ask for the passkey, and would save a refusal as the file. */
function File({ address, name }: FileProps) {
  const tenantId = useTenant();
  const proven = useProven();
  const load = useMutation({
    mutationFn: async () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await proven(() => fileAt(address, tenantId)));
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    },
  });
  return (
    <>
      <Button size="xs" variant="default" loading={load.isPending} onClick={() => load.mutate()}>
        Download CSV
      </Button>
      {load.error && <Trouble error={load.error} />}
    </>
  );
}

/** Named views of the list. They stay in this browser, for the person who made them. */
function Views(props: Omit<ToolsProps, 'columns' | 'file' | 'turn'>) {
  const { list, hidden, onHide, filters, onFilters } = props;
  const [views, keep] = useKept(`views of ${list}`, noViews);
  const [name, setName] = useState<string | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const save = (given: string) => {
    const others = views.filter((one) => one.name !== given);
    if (given !== '') keep([...others, { name: given, filters, hidden }]);
    setShown(given === '' ? shown : given);
    setName(null);
  };
  if (name !== null)
    return (
      <form
        className="filter-field"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          save(name.trim());
        }}
      >
        <TextInput
          size="xs"
          autoFocus
          aria-label="Name of the view"
          placeholder="Name of the view"
          maxLength={longestName}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setName(null)}
        />
        <Button size="xs" type="submit">
          Save
        </Button>
      </form>
    );
  return (
    <Menu position="bottom-end" returnFocus={false}>
      <Menu.Target>
        <Button size="xs" variant="default">
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.map((view) => (
          <Menu.Item
            key={view.name}
            onClick={() => {
              onHide(view.hidden);
              onFilters(view.filters);
              setShown(view.name);
            }}
          >
            {view.name}
          </Menu.Item>
        ))}
        {views.length > 0 && <Menu.Divider />}
        <Menu.Item onClick={() => setName('')}>Save this view…</Menu.Item>
        {views.some((view) => view.name === shown) && (
          <Menu.Item onClick={() => keep(views.filter((view) => view.name !== shown))}>
            {`Delete the view ${shown}`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
