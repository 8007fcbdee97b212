-- Who gave a role: whoever was invited by the maker of a request, or got the role lately, approves nothing of it.
alter table control.roles add column granted_by text;
-- Given by the command line within a day of the first admin: such a role counts at once.
alter table control.roles add column bootstrap boolean not null default false;
alter table control.people add column invited_by text;
alter table control.invitations add column invited_person text;
-- What an act on the platform takes; a secret of it is sealed, and apart.
alter table control.approvals add column given text not null default '{}';
alter table control.approvals add column given_secret text;
