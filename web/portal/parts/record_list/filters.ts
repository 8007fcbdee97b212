import { choicesOf, type FilterField, tenantTimes } from '../../../staff/parts/filter_fields.ts';
import { inWords } from '../../../staff/parts/tell.ts';
import type { Filter } from './lists.ts';

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
          choices: choicesOf(states, inWords),
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
  ...(offered.includes('times') ? tenantTimes : []),
];
