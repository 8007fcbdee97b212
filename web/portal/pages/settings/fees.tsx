import { Button, Group, NumberInput, Select, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { PlainTable, RowButton } from '../../parts/plain_table.tsx';
import { Section } from '../../parts/section.tsx';
import { SaveBar } from './save_bar.tsx';
import { faultOf, type PartProps, type Settings, useSave } from './use_save.ts';

type Rule = Settings['fees'][number];

const payments: Readonly<Record<Rule['payment_type'], string>> = {
  consumer_to_merchant: 'Consumer to merchant',
  merchant_to_merchant: 'Merchant to merchant',
};
const sources: Readonly<Record<Rule['source'], string>> = {
  balance: 'From balance',
  bank_account: 'By bank',
};
const bearers: Readonly<Record<Rule['paid_by'], string>> = { payer: 'Payer', payee: 'Payee' };

const options = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

const newRule: Rule = {
  type: 'tenant',
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 0,
  fixed: 0,
  paid_by: 'payee',
};

/** The Tenant's own fees; the platform's stand below, and are not the Tenant's to set. */
export function Fees({ settings: { fees } }: PartProps) {
  const { save, mayChange } = useSave();
  const own = fees.filter(({ type }) => type === 'tenant');
  const others = fees.filter(({ type }) => type === 'platform');
  const [typed, setTyped] = useState<readonly Rule[] | null>(null);
  const shown = typed ?? own;
  const change = (next: readonly Rule[]) => {
    save.reset();
    setTyped(next);
  };
  const set = (at: number, part: Partial<Rule>) =>
    change(shown.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  const fault = faultOf(save.error);
  return (
    <Section
      title="Your fees"
      text="What you take of each payment, besides the fees of the platform. A change holds for payments made after it."
    >
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          None: you take nothing.
        </Text>
      ) : (
        <PlainTable
          label="Your fees"
          columns={['Payments', 'Source', 'Share', 'Fixed', 'Paid by']}
          hasActions
        >
          {shown.map((rule, at) => (
            <RuleRow
              key={String(at)}
              number={at + 1}
              rule={rule}
              isOff={!mayChange}
              onChange={(part) => set(at, part)}
              onRemove={() => change(shown.filter((_, index) => index !== at))}
            />
          ))}
        </PlainTable>
      )}
      {fault && (
        <Text size="sm" c="red" role="alert">
          {fault.text}
        </Text>
      )}
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={!mayChange}
          onClick={() => change([...shown, newRule])}
        >
          Add a fee
        </Button>
      </Group>
      <SaveBar
        label="your fees"
        save={save}
        isChanged={typed !== null && JSON.stringify(typed) !== JSON.stringify(own)}
        mayChange={mayChange}
        onSave={() =>
          save.mutate({ fees: [...others, ...shown] }, { onSuccess: () => setTyped(null) })
        }
        onUndo={() => setTyped(null)}
      />
    </Section>
  );
}

interface RowProps {
  readonly number: number;
  readonly rule: Rule;
  readonly isOff: boolean;
  readonly onChange: (part: Partial<Rule>) => void;
  readonly onRemove: () => void;
}

const choices = [
  ['payment_type', 'Payments', payments],
  ['source', 'Source', sources],
] as const;

function RuleRow({ number, rule, isOff, onChange, onRemove }: RowProps) {
  const named = (what: string) => `${what} of fee ${number}`;
  return (
    <Table.Tr>
      {choices.map(([field, label, names]) => (
        <Table.Td key={field} miw={170}>
          <Select
            aria-label={named(label)}
            allowDeselect={false}
            disabled={isOff}
            data={options(names)}
            value={rule[field]}
            onChange={(value) => value && onChange({ [field]: value } as Partial<Rule>)}
          />
        </Table.Td>
      ))}
      <Table.Td miw={110}>
        <NumberInput
          aria-label={named('Share')}
          suffix=" %"
          min={0}
          max={100}
          decimalScale={2}
          disabled={isOff}
          value={rule.basis_points / 100}
          onChange={(value) => onChange({ basis_points: Math.round(Number(value) * 100) })}
        />
      </Table.Td>
      <Table.Td miw={110}>
        <NumberInput
          aria-label={named('Fixed amount')}
          prefix="$"
          min={0}
          decimalScale={2}
          fixedDecimalScale
          disabled={isOff}
          value={rule.fixed / 100}
          onChange={(value) => onChange({ fixed: Math.round(Number(value) * 100) })}
        />
      </Table.Td>
      <Table.Td miw={120}>
        <Select
          aria-label={named('Paid by')}
          allowDeselect={false}
          disabled={isOff}
          data={options(bearers)}
          value={rule.paid_by}
          onChange={(value) => value && onChange({ paid_by: value } as Partial<Rule>)}
        />
      </Table.Td>
      <Table.Td ta="right">
        <RowButton
          text="Remove"
          label={`Remove fee ${number}`}
          isBusy={false}
          isOff={isOff}
          onClick={onRemove}
        />
      </Table.Td>
    </Table.Tr>
  );
}
