-- class: online
-- Money of a load that another bank asks back (rules/received-money#7).
alter type entry_step add value 'recall_ordered';
