import { Button, Group, Stack, Text } from '@mantine/core';
import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Obstacles } from '../case/approval_form.tsx';
import { useIsMe } from '../case/who.tsx';
import { ChangesTable } from './changes_table.tsx';
import { actOf, actorOf, approveText } from './words.ts';

interface OneRequestProps {
  readonly request: PlatformApproval;
  readonly onDecide: (move: 'approve' | 'refuse') => void;
}

/** A request: its act, its maker and reason, its changes, and the ways to decide it. */
export function OneRequest({ request, onDecide }: OneRequestProps) {
  const { status, note, maker, created_at, lapses_at, changed, obstacle } = request;
  const title = actOf(request);
  const isOwn = useIsMe()(maker);
  const isOff = changed || obstacle !== null;
  return (
    <li className="card">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Text fw={600} component="h3" className="breaks">
            {title}
          </Text>
          <StateBadge state={status} resource="approval" />
        </Group>
        <Text size="sm" className="wrapped">
          {note}
        </Text>
        <Text size="sm" c="dimmed" className="breaks">
          {`Asked by ${isOwn ? 'you' : actorOf(request, maker)}, `}
          <When at={created_at} />
          {status === 'waiting' && (
            <>
              . Lapses <When at={lapses_at} />
            </>
          )}
          .
        </Text>
        <Decision request={request} />
        <ChangesTable request={request} label={`Changes: ${title}`} />
        {status === 'waiting' && (
          <>
            <Obstacles changed={changed} obstacle={obstacle} />
            <Group gap="xs">
              {!isOwn && (
                <Button disabled={isOff} className="wraps" onClick={() => onDecide('approve')}>
                  {approveText(title)}
                </Button>
              )}
              <Button
                variant="default"
                aria-label={`${isOwn ? 'Take back' : 'Refuse'}: ${title}`}
                onClick={() => onDecide('refuse')}
              >
                {isOwn ? 'Take it back' : 'Refuse'}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </li>
  );
}

/** The decision on a request: who made it, and why. */
function Decision({ request }: Pick<OneRequestProps, 'request'>) {
  const { status, decided_by, decided_at, decision_note } = request;
  const isMe = useIsMe();
  if (decided_by === null) return null;
  return (
    <Text size="sm" c="dimmed" className="breaks">
      {`${status === 'approved' ? 'Approved' : 'Refused'} by ${isMe(decided_by) ? 'you' : actorOf(request, decided_by)}, `}
      <When at={decided_at} />
      {decision_note === null ? '.' : `: ${decision_note}`}
    </Text>
  );
}
