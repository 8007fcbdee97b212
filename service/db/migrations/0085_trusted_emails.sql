-- Whether a provider's addresses are the organization's own (rules/single-sign-on#8).
alter table control.identity_providers add column trust_email boolean not null default false;
