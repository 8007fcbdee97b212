import { Checkbox, Group, Table, Text, TextInput } from '@mantine/core';
import { requestNetworks } from '@tenant-payments/contract/core/request_uses.ts';
import { useState } from 'react';
import { PlainTable } from '../../../../staff/parts/plain_table.tsx';
import { Section } from '../../../../staff/parts/section.tsx';
import { networkNames, useTexts } from '../../../../staff/settings/request_uses.ts';
import { faultOf, type PartProps, type Settings } from '../../../../staff/settings/use_save.ts';
import { PlatformSave, usePlatformSave } from './platform_save.tsx';

type Uses = Settings['request_uses'];
type Use = keyof Uses;
const uses = Object.keys(useTexts) as Use[];

/** The uses of a Request for Payment that the Tenant's bank permits. */
export function RequestUses({ settings }: PartProps) {
  const { request_uses: saved } = settings;
  const { save, mayChange } = usePlatformSave();
  const [typed, setTyped] = useState<Uses | null>(null);
  const shown = typed ?? saved;
  const fault = faultOf(save.error);
  const set = (use: Use, change: Partial<Uses[Use]>) => {
    save.reset();
    setTyped({ ...shown, [use]: { ...shown[use], ...change } });
  };
  return (
    <Section
      title="Requests that the bank permits"
      text="Networks permit a Request for Payment for some uses alone, and the bank decides. Tick what it has permitted in writing, and name the letter. In production each new permission needs a second admin."
    >
      <PlainTable label="Every use of a request" columns={['Use', 'Networks', 'Permitted by']}>
        {uses.map((use) => (
          <Table.Tr key={use}>
            <Table.Td miw={200}>
              <Text size="sm">{useTexts[use].title}</Text>
              <Text size="xs" c="dimmed">
                {useTexts[use].text}
              </Text>
            </Table.Td>
            <Table.Td miw={180}>
              <Group gap="md">
                {requestNetworks.map((network) => (
                  <Checkbox
                    key={network}
                    label={networkNames[network]}
                    aria-label={`${useTexts[use].title} by ${networkNames[network]}`}
                    disabled={!mayChange}
                    checked={shown[use].networks.includes(network)}
                    onChange={({ currentTarget: { checked } }) => {
                      const networks = requestNetworks.filter((one) =>
                        one === network ? checked : shown[use].networks.includes(one),
                      );
                      set(
                        use,
                        networks.length === 0 ? { networks, agreement: null } : { networks },
                      );
                    }}
                  />
                ))}
              </Group>
            </Table.Td>
            <Table.Td miw={220}>
              <TextInput
                aria-label={`Permission for ${useTexts[use].title}`}
                placeholder={shown[use].networks.length === 0 ? 'not permitted' : 'letter and date'}
                maxLength={200}
                disabled={!mayChange || shown[use].networks.length === 0}
                value={shown[use].agreement ?? ''}
                error={fault?.param === `request_uses.${use}.agreement` ? fault.text : undefined}
                onChange={({ currentTarget: { value } }) =>
                  set(use, { agreement: value === '' ? null : value })
                }
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      <PlatformSave
        label="permitted requests"
        save={save}
        settings={settings}
        changes={{ request_uses: shown }}
        isChanged={JSON.stringify(shown) !== JSON.stringify(saved)}
        mayChange={mayChange}
        onSave={() => save.mutate({ request_uses: shown }, { onSuccess: () => setTyped(null) })}
        onUndo={() => setTyped(null)}
      />
    </Section>
  );
}
