import { expect, test } from 'vitest'
import { joinedMessages } from './problem.ts'

test('messages are joined to sentences: one period between two, and the last as it is', () => {
  expect(joinedMessages(['Line 3: the amount is over 5.', 'Line 9 is no line', 'It ends here.'])).toBe(
    'Line 3: the amount is over 5. Line 9 is no line. It ends here.',
  )
  expect(joinedMessages(['Name is required'])).toBe('Name is required')
  expect(joinedMessages([])).toBe('')
})
