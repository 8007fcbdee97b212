import { Button, Group, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { PlainTable, RowButton } from '../../../../staff/parts/plain_table.tsx';
import { Section } from '../../../../staff/parts/section.tsx';
import { faultOf, type PartProps, type Settings } from '../../../../staff/settings/use_save.ts';
import { PlatformSave, usePlatformSave } from './platform_save.tsx';

type Industry = NonNullable<Settings['industries']>[number];

const fields = [
  ['key', 'Key', ({ key }: Industry) => key, (one: Industry, key: string) => ({ ...one, key })],
  [
    'name.en',
    'English',
    ({ name }: Industry) => name.en,
    (one: Industry, en: string) => ({ ...one, name: { ...one.name, en } }),
  ],
  [
    'name.es',
    'Spanish',
    ({ name }: Industry) => name.es,
    (one: Industry, es: string) => ({ ...one, name: { ...one.name, es } }),
  ],
] as const;

const empty: Industry = { key: '', name: { en: '', es: '' } };

/** The lines of business that the Tenant's merchants choose from. */
export function Industries({ settings }: PartProps) {
  const { industries: saved = [] } = settings;
  const { save, mayChange } = usePlatformSave();
  const [typed, setTyped] = useState<readonly Industry[] | null>(null);
  const shown = typed ?? saved;
  const fault = faultOf(save.error);
  const change = (next: readonly Industry[]) => {
    save.reset();
    setTyped(next);
  };
  const set = (at: number, one: Industry) =>
    change(shown.map((before, index) => (index === at ? one : before)));
  return (
    <Section
      title="Industries"
      text="What a business chooses from when it applies. A key is stored with each business and stays."
    >
      <PlainTable label="Every industry" columns={['Key', 'English', 'Spanish']} hasActions>
        {shown.map((one, at) => (
          <Table.Tr key={String(at)}>
            {fields.map(([field, label, textOf, withText]) => (
              <Table.Td key={field} miw={180}>
                <TextInput
                  aria-label={`${label} of industry ${at + 1}`}
                  disabled={!mayChange}
                  value={textOf(one)}
                  onChange={({ currentTarget: { value } }) => set(at, withText(one, value))}
                />
              </Table.Td>
            ))}
            <Table.Td ta="right">
              <RowButton
                text="Remove"
                label={`Remove industry ${at + 1}`}
                isBusy={false}
                isOff={!mayChange || shown.length === 1}
                onClick={() => change(shown.filter((_, index) => index !== at))}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      {fault && (
        <Text size="sm" c="red" role="alert">
          {fault.index === null ? fault.text : `Industry ${fault.index + 1}: ${fault.text}`}
        </Text>
      )}
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={!mayChange}
          onClick={() => change([...shown, empty])}
        >
          Add an industry
        </Button>
      </Group>
      <PlatformSave
        label="industries"
        save={save}
        settings={settings}
        changes={{ industries: [...shown] }}
        isChanged={JSON.stringify(shown) !== JSON.stringify(saved)}
        mayChange={mayChange}
        onSave={() => save.mutate({ industries: [...shown] }, { onSuccess: () => setTyped(null) })}
        onUndo={() => setTyped(null)}
      />
    </Section>
  );
}
