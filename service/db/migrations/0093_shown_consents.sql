-- class: locks documents, for less than 50 ms
-- When who consents to electronic records had shown that they can be opened (rules/documents#33).
alter table documents add column shown_at timestamptz;
