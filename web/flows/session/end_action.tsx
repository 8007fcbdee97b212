import { Button } from '../../ui/button.tsx';
import { isolated } from '../../ui/isolated.ts';
import { usePage } from '../use_page.ts';
import { useSession } from './session.ts';

/** Leaves an open session in which there is nothing to do. */
export function LeaveAction() {
  const { texts, tenantName } = usePage();
  const { leave, wayBack } = useSession();
  if (wayBack === null) return <p class="aside">{texts.common.mayClose}</p>;
  return <Button onClick={leave}>{texts.common.backTo(isolated(tenantName))}</Button>;
}

/** The way back to the page or app that opened this one; without one, this page may be closed. */
export function EndAction() {
  const { texts, tenantName } = usePage();
  const { end, wayBack } = useSession();
  const { done, backTo, mayClose } = texts.common;
  if (wayBack === null) return <p class="aside">{mayClose}</p>;
  return <Button onClick={end}>{wayBack === 'sdk' ? done : backTo(isolated(tenantName))}</Button>;
}
