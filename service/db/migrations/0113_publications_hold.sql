-- class: locks document_publications, for less than 50 ms
-- From when on a version holds for those who accepted an earlier one, and the reason of security for which it holds at
-- once (rules/documents#32).
alter table document_publications add column effective_at timestamptz, add column security_reason text;
