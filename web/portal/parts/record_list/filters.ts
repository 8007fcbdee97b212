import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FilterField } from '../../../staff/parts/filter_fields.ts';
import type { Filter } from './lists.ts';

/** As the address has them: instants, or days, which are the reader's own. */
export interface Filters {
  readonly status?: string;
  readonly customer_id?: string;
  readonly from?: string;
  readonly to?: string;
  /** The newest are first otherwise. */
  readonly order?: string;
}

const names = ['status', 'customer_id', 'from', 'to', 'order'] as const;
const day = /^\d{4}-\d\d-\d\d$/;

const text = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** An instant; of a day its beginning where the reader is, or that of one so many days later. */
function instantOf(given: string | undefined, later = 0): string | undefined {
  if (given === undefined) return undefined;
  if (!day.test(given)) return Number.isNaN(Date.parse(given)) ? undefined : given;
  const date = new Date(`${given}T00:00:00`);
  date.setDate(date.getDate() + later);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** What the service is asked for; the last day is a whole one. */
export const queryOf = ({ status, customer_id, from, to, order }: Filters) => {
  const turned = order === 'oldest' ? order : undefined;
  const times = { from: instantOf(from), to: instantOf(to, 1) };
  const query = { status, customer_id, ...times, order: turned };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
};

/** The filters of a list, which its address keeps. */
export function useFilters() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = text(search[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Filters;
  const set = (changed: Partial<Record<keyof Filters, string | undefined>>) => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => text(value));
    void navigate({ to: '.', search: Object.fromEntries(next) as never });
  };
  const put = (next: Readonly<Record<string, string>>) =>
    void navigate({ to: '.', search: next as never });
  const clear = () => void navigate({ to: '.', search: {} as never });
  return {
    filters,
    set,
    put,
    clear,
    isFiltered: Object.keys(filters).some((name) => name !== 'order'),
  };
}

/** The fields that a list offers. */
export const fieldsOf = (
  offered: readonly Filter[],
  states: readonly string[],
): readonly FilterField[] => [
  ...(offered.includes('status')
    ? [
        {
          name: 'status',
          label: 'State',
          kind: 'choice' as const,
          choices: states.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
        },
      ]
    : []),
  ...(offered.includes('customer')
    ? [
        {
          name: 'customer_id',
          label: 'Customer',
          kind: 'text' as const,
          placeholder: 'Id of a customer, cus_…',
        },
      ]
    : []),
  ...(offered.includes('times')
    ? [
        { name: 'from', label: 'From', kind: 'time' as const },
        { name: 'to', label: 'To', kind: 'time' as const },
      ]
    : []),
];
