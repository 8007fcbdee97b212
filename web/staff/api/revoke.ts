import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCall } from './queries.ts';
import { useProven } from './step_up.tsx';

type Revoked = 'api-keys' | 'invitations' | 'staff-invitations';
type Lists = `GET /portal/api/${Revoked}`;
type Revoking = `DELETE /portal/api/${Revoked}/:id`;

/** Revokes a row of a list, which is then read anew. */
export function useRevoke(route: Revoking, list: Lists) {
  const queries = useQueryClient();
  const proven = useProven();
  const call = useCall();
  return useMutation({
    mutationFn: (id: string) => proven(() => call(route, { id })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [list] }),
  });
}
