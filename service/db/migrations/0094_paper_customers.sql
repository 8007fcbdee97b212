-- class: locks customers, for less than 50 ms
-- Since when a customer gets records on paper, as the consent to electronic ones was withdrawn (rules/documents#34).
alter table customers add column paper_since timestamptz;
