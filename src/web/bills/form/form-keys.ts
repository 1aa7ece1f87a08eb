/** The keys of the bill form, for the sheet of shortcuts. */
export const formKeys = [
  { keys: 'enter', label: 'Next field, as Tab; with Shift the one before', group: 'Bill form' },
  { keys: 'mod+enter', label: 'Save', group: 'Bill form' },
  { keys: 'mod+shift+enter', label: 'Save and next: a fresh form at its account', group: 'Bill form' },
  { keys: 'alt+=', label: 'Take the computed amount due or usage back', group: 'Bill form' },
  { keys: 'alt+j', label: 'Next finding; a reason is chosen by its first letter', group: 'Bill form' },
  { keys: 'alt+arrowdown', label: 'Open the calendar of a date', group: 'Bill form' },
] as const
