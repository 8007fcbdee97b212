import { Button, Group, NumberInput, Select, Table, Text } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { PlainTable, RowButton } from '../parts/plain_table.tsx';
import { Section } from '../parts/section.tsx';
import { SaveBar, type SaveBarProps } from './save_bar.tsx';
import { faultOf, type PartProps, type Settings, useSave } from './use_save.ts';
import { WorseTerms } from './worse_terms.tsx';

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

const newRule = (type: Rule['type']): Rule => ({
  type,
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 0,
  fixed: 0,
  paid_by: 'payee',
});

/** The Tenant's own fees; the platform's stand below, and are not the Tenant's to set. */
export function Fees({ settings }: PartProps) {
  const { save, mayChange } = useSave();
  return (
    <FeeRules
      settings={settings}
      type="tenant"
      title="Your fees"
      text="What you take of each payment, besides the fees of the platform. A change holds for payments made after it; a fee that consumers pay rises 21 days after they are told."
      none="None: you take nothing."
      save={save}
      mayChange={mayChange}
      Bar={SaveBar}
    />
  );
}

interface FeeRulesProps extends Pick<SaveBarProps, 'save' | 'mayChange'> {
  readonly settings: Settings;
  /** The side whose rules are set here; the other side's are sent as they are. */
  readonly type: Rule['type'];
  readonly title: string;
  readonly text: string;
  /** The text that stands where there is no rule. */
  readonly none: string;
  readonly Bar: ComponentType<SaveBarProps>;
}

/** The rules by which one side takes its share. */
export function FeeRules(props: FeeRulesProps) {
  const { settings, type, title, text, none, save, mayChange, Bar } = props;
  const { fees } = settings;
  const own = fees.filter((rule) => rule.type === type);
  const others = fees.filter((rule) => rule.type !== type);
  const [typed, setTyped] = useState<readonly Rule[] | null>(null);
  const shown = typed ?? own;
  const change = (next: readonly Rule[]) => {
    save.reset();
    setTyped(next);
  };
  const set = (at: number, part: Partial<Rule>) =>
    change(shown.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  const fault = faultOf(save.error);
  const columns = ['Payments', 'Source', 'Share', 'Fixed', 'Paid by'];
  return (
    <Section title={title} text={text}>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <PlainTable label={`Rules: ${title.toLowerCase()}`} columns={columns} hasActions>
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
          onClick={() => change([...shown, newRule(type)])}
        >
          Add a fee
        </Button>
      </Group>
      <WorseTerms settings={settings} changes={{ fees: [...others, ...shown] }} />
      <Bar
        label={title.toLowerCase()}
        save={save}
        settings={settings}
        changes={{ fees: [...others, ...shown] }}
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
          suffix="%"
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
