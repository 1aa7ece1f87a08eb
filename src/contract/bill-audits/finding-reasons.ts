/** Reasons for resolving a finding. The reason is stored with the finding; a comment may add more. */
export const findingReasons = [
  { value: 'vendor_confirmed', label: 'Vendor confirmed' },
  { value: 'seasonal', label: 'Seasonal' },
  { value: 'data_fixed', label: 'Data fixed' },
  { value: 'meter_changed', label: 'Meter changed' },
  { value: 'known_event', label: 'Known event' },
  { value: 'other', label: 'Other' },
] as const
export type FindingReason = (typeof findingReasons)[number]['value']
