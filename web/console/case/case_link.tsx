import { Anchor } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { inWords } from '../../staff/parts/tell.ts';
import { isCase, kindOf } from '../desk/words.ts';

interface CaseLinkProps {
  readonly resource: string;
  readonly id: string;
  /** In place of its kind and the end of its id. */
  readonly text?: string;
}

/**
 * The longest id that is shown whole: it is the name of a record that exists once. Real ids are
 * longer.
 */
const longestName = 20;

/**
 * The link to another case of the same Tenant; a record that can be no case is named by its kind
 * alone.
 */
export function CaseLink({ resource, id, text: given }: CaseLinkProps) {
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId?: string };
  const text =
    given ?? `${kindOf(resource)} ${id.length > longestName ? `…${id.slice(-6)}` : inWords(id)}`;
  if (!isCase(resource)) return text;
  return (
    <Anchor
      component={Link}
      to="/case/$tenantId/$resource/$id"
      params={{ tenantId, resource, id } as never}
      size="sm"
    >
      {text}
    </Anchor>
  );
}
