-- class: online
-- Money that is ordered stands in an account of its own until the bank has moved it (rules/ledger#26).
alter type entry_pocket add value 'sweep_in_transit';
alter type entry_pocket add value 'top_up_in_transit';
alter type entry_pocket add value 'return_in_transit';
alter type entry_step add value 'dispute_credit_ordered';
alter type entry_step add value 'dispute_credit_settled';
alter type entry_step add value 'suspense_kept';
alter type entry_step add value 'suspense_return_ordered';
alter type entry_step add value 'suspense_return_settled';
alter type entry_step add value 'fee_sweep_ordered';
alter type entry_step add value 'fee_sweep_settled';
alter type entry_step add value 'fee_sweep_failed';
alter type entry_step add value 'top_up_ordered';
alter type entry_step add value 'top_up_settled';
alter type entry_step add value 'top_up_failed';
