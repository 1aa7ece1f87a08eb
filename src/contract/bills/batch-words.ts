/** Reasons that client batches and vendor batches have in common for not taking a bill, as shown beside it. */
export const commonRefusals = {
  void: 'Void: another bill has replaced it',
  parked: 'Parked',
  incomplete: 'Draft: required values are empty',
  header_math: 'Amount due differs from its parts',
  open_errors: 'Has open errors',
} as const
