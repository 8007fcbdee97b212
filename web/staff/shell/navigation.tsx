import { Link, useLocation } from '@tanstack/react-router';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { type ReactNode, useId, useState } from 'react';
import { isSandbox } from '../api/environment.ts';
import { holds } from '../api/session.tsx';
import { NavCount } from '../parts/nav_count.tsx';
import { Icon } from './icons.tsx';
import type { IconName, PageEntry, PageGroup } from './page_group.ts';

interface NavigationProps {
  readonly session: CurrentSession;
  readonly groups: readonly PageGroup[];
  readonly onGo: () => void;
}

interface EntryProps {
  readonly page: PageEntry;
  /** The icon of a page that is a group by itself. */
  readonly icon?: IconName;
  readonly onGo: () => void;
}

/** Whether this page, or one below it, is shown. */
const isOn = (path: string, pathname: string): boolean =>
  pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));

function Entry({ page: { path, name }, icon, onGo }: EntryProps) {
  const { pathname } = useLocation();
  return (
    <Link
      to={path}
      className={icon ? 'page-link is-first' : 'page-link'}
      aria-current={pathname === path ? 'page' : undefined}
      {...(isOn(path, pathname) && { 'data-here': '' })}
      onClick={onGo}
    >
      {icon && <Icon name={icon} />}
      <span className="grows">{name}</span>
      <NavCount for={path} />
    </Link>
  );
}

const folded = 'folded_groups';
const readFolded = (): readonly string[] =>
  (localStorage.getItem(folded) ?? '').split(',').filter((name) => name !== '');

/** Groups that were folded stay so, but for the one with the page that is open. */
function useFolded() {
  const [names, set] = useState(readFolded);
  const toggle = (name: string) => {
    const next = names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
    localStorage.setItem(folded, next.join(','));
    set(next);
  };
  return { isFolded: (name: string) => names.includes(name), toggle };
}

interface GroupProps {
  readonly group: PageGroup;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

function PageGroupShown({ group, isOpen, onToggle, children }: GroupProps) {
  const id = useId();
  return (
    <div>
      <button
        type="button"
        className="page-group"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
      >
        <Icon name={group.icon} />
        <span className="grows">{group.name}</span>
        <Icon name="fold" />
      </button>
      <div id={id} hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}

/** The way to every page that the session may open. */
export function Navigation({ session, groups, onGo }: NavigationProps) {
  const { pathname } = useLocation();
  const { isFolded, toggle } = useFolded();
  return (
    <nav aria-label="Pages" className="pages">
      {groups.map((group) => {
        const pages = group.pages.filter(
          ({ may, sandboxOnly }) => holds(session, may) && (isSandbox || sandboxOnly === undefined),
        );
        const [only] = pages;
        if (!only) return null;
        if (group.pages.length === 1)
          return <Entry key={group.name} page={only} icon={group.icon} onGo={onGo} />;
        const isHere = pages.some(({ path }) => isOn(path, pathname));
        return (
          <PageGroupShown
            key={group.name}
            group={group}
            isOpen={isHere || !isFolded(group.name)}
            onToggle={() => toggle(group.name)}
          >
            {pages.map((page) => (
              <Entry key={page.path} page={page} onGo={onGo} />
            ))}
          </PageGroupShown>
        );
      })}
    </nav>
  );
}
