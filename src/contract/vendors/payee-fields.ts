/** Fields of a vendor that decide, beside its payment methods, to whom it is paid without its bank account: the name and address of a check. */
export const payeeFields = [
  'name',
  'remit_name',
  'remit_street_address_1',
  'remit_street_address_2',
  'remit_city',
  'remit_state',
  'remit_zip',
  'street_address_1',
  'street_address_2',
  'city',
  'state',
  'zip',
  'country',
] as const
