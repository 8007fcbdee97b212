-- class: online
-- A reviewer handles a notice as another kind than the Tenant gave (rules/disputes#62).
alter type event_type add value 'dispute.updated';
