import { expect, test } from 'vitest'
import { mixedTypes, mixedVendors, viewTodays, words } from './words.ts'

test('texts are the specification’s, to the byte [GB-MSG-009]', () => {
  expect(words).toMatchObject({
    bank_value_zero: { title: 'Unauthorized value', message: 'Bank value cannot be set to 0' },
    no_bank_value: 'Must input and lock initial bank value before creating batches.',
    bank_value_unlocked: 'Bank value must be locked to continue batching.',
    no_bill_selected: { title: 'No bill selected.', message: 'Must select at least one bill to add.' },
    last_bill: { title: 'No bills selected', message: 'Batch must always be left with at least 1 bill' },
    missing_batches: { title: 'Missing batches', message: 'Must have one or more batches to export' },
    no_paid_batches: {
      title: 'No paid batches.',
      message: 'There are no batches which are paid that have not already been finalized today.',
    },
    export_question: 'Create the global export?',
    export_created: 'Export was created',
    move_failed: 'An error has occured',
    create_question: 'Create batches?',
    create_failed: 'An error occurred during the creation. Please check that everything is correct.',
    add_failed: 'An error occurred during the process',
    created: 'Batches were created successfully!',
    added: 'Bills were added to batch successfully!',
    go_to_today: "Go to Today's Batches",
    stay: 'Stay on page',
    view_updated: 'View updated batch bills',
  })
  expect(viewTodays('Check')).toBe("View Today's Check Batches")
  expect(mixedVendors('Bills', 'X', false)).toMatchObject({
    title: 'Not Allowed',
    message: 'Bills with the vendor X can only be batched with bills from that same vendor',
  })
  expect(mixedVendors('Bills', 'X', true)).toMatchObject({
    title: 'Not allowed',
    message: 'Bills with the vendor X must be batched separately',
  })
  expect(mixedTypes('ACH', 'Check')).toEqual({
    kind: 'error',
    title: 'All selected bills must have the same payment type',
    message: 'your selection has a payment type of ACH while your other selections are of type Check',
    duration: 5,
  })
})
