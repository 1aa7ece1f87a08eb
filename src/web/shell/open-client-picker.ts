/** The shortcut of the client picker in the header, and the function that opens it. */
export const CLIENT_PICKER_KEYS = 'o c'
export const CLIENT_PICKER_ID = 'client-picker'

/** Opens the picker, which takes the focus. */
export function openClientPicker(): void {
  document.getElementById(CLIENT_PICKER_ID)?.click()
}
