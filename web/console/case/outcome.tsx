import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApprovalEffect } from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import { useEffect, useRef } from 'react';
import { Failed } from '../../staff/api/call.ts';
import { isolated } from '../../ui/isolated.ts';
import { EffectTables } from './effect_tables.tsx';

/** How a decision ended. */
export interface Outcome {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  /** The effect of the move; null: there is none, or it is not known. */
  readonly effect: ApprovalEffect | null;
  /** The request for a second person that was made. */
  readonly request?: { readonly tenantId: string; readonly id: string };
}

/** A refusal because the case has changed meanwhile; null: another failure, which leaves the form as it is. */
export function changedMeanwhile(error: Error): Outcome | null {
  if (!(error instanceof Failed) || error.failure.kind !== 'refused') return null;
  const { code, reason } = error.failure;
  const { assigned_to: holder } = error.details as { readonly assigned_to?: { name: string } };
  if (code !== 'invalid_state' || reason === 'approval_required') return null;
  const text =
    reason === 'taken'
      ? `${isolated(holder?.name ?? 'Somebody else')} has taken this case meanwhile. It is read anew.`
      : `${error.text} The case is read anew.`;
  return { isDone: false, title: 'Nothing was done', text, effect: null };
}

/** Says how a decision ended. It takes the focus, since the button may be gone. */
export function Ended({ id, outcome }: { readonly id: string; readonly outcome: Outcome }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each outcome takes the focus anew
  useEffect(() => box.current?.focus(), [outcome]);
  const { isDone, title, text, effect, request } = outcome;
  return (
    <div ref={box} role="status" tabIndex={-1} className={isDone ? 'done' : 'done is-refused'}>
      <Stack gap="xs">
        <Text fw={600}>{title}</Text>
        <Text size="sm">
          {text}
          {request && (
            <>
              {' '}
              <Anchor
                component={Link}
                inherit
                to="/case/$tenantId/$resource/$id"
                params={{ ...request, resource: 'approvals' } as never}
              >
                See the request
              </Anchor>
            </>
          )}
        </Text>
        {effect && <EffectTables id={id} effect={effect} />}
      </Stack>
    </div>
  );
}
