-- class: locks documents, for less than 50 ms
-- From when on a version holds for this customer, and the language in which it was accepted (rules/documents#32, #35).
alter table documents add column effective_at timestamptz, add column accepted_in text;
