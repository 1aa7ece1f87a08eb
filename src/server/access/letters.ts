/** Texts of the sign-in mails. */
import type { Letter } from '../kernel/work/mail-letter.ts'

/** Mail to the user for whom an account was created. */
export function confirmationLetter(email: string, link: string): Letter {
  return {
    subject: 'Confirm your Meterbook account',
    paragraphs: [
      `An account was made for ${email}. Confirm it with the link below.`,
      'You are then asked for your email once more, to set your password.',
    ],
    action: { label: 'Confirm account', url: link },
    footnote: 'The link works for three days. If you do not know what this is about, you need not do anything.',
  }
}

/** Mail to the user who requested a new password. */
export function passwordLetter(email: string, link: string): Letter {
  return {
    subject: 'Set a new Meterbook password',
    paragraphs: [`Somebody asked for a new password for ${email}. If it was you, set one with the link below.`],
    action: { label: 'Set new password', url: link },
    footnote: 'The link works once and for an hour. If it was not you, you need not do anything: your password stays as it is.',
  }
}

/** Invitation mail to an installation's first administrator. */
export function firstAdminLetter(link: string): Letter {
  return {
    subject: 'Your Meterbook account',
    paragraphs: ['You are the first administrator of Meterbook. Set your password with the link below.'],
    action: { label: 'Set password', url: link },
    footnote: 'The link works once and for an hour. After that, ask for another by “Forgot your password?” on the sign-in page.',
  }
}

/** Mail to the owner of a sign-in whose former token was used again. */
export function replayLetter(device: string, ip: string, profile: string): Letter {
  return {
    subject: 'A sign-in to Meterbook was ended',
    paragraphs: [
      `Somebody used old credentials of one of your sign-ins, from ${device} at ${ip}. They may have been copied, so that sign-in was ended.`,
      'Sign in again. If you do not recognize this, set a new password, and end your other sign-ins in your profile.',
    ],
    action: { label: 'Open my profile', url: profile },
  }
}

/** To the mailboxes of an account whose password was changed. */
export function newPasswordLetter(): Letter {
  return {
    subject: 'Your Meterbook password was changed',
    paragraphs: ['The password of your account was changed. Its other sign-ins have ended.'],
    footnote: 'If it was not you, please tell your administrator at once.',
  }
}

/** To the former mailboxes of an account that got an API token. */
export function newTokenLetter(title: string): Letter {
  return {
    subject: 'A new API token was made for your Meterbook account',
    paragraphs: [`${title} can now be used in your name.`],
    footnote: 'If it was not you, please tell your administrator at once.',
  }
}

const notYou = 'If it was not you, please tell your administrator at once.'

/** To the mailboxes of an account whose second factor was set up. */
export function factorSetLetter(): Letter {
  return {
    subject: 'A second factor was set up for your Meterbook account',
    paragraphs: ['From now on a sign-in with your password also needs a code of your authenticator app. Your other sign-ins have ended.'],
    footnote: notYou,
  }
}

/** To the mailboxes of an account whose second factor was removed, by its owner or by an administrator. */
export function factorRemovedLetter(by: 'you' | 'an administrator'): Letter {
  return {
    subject: 'The second factor of your Meterbook account was removed',
    paragraphs: [
      by === 'you'
        ? 'You switched it off. Your password alone now opens your account.'
        : 'An administrator removed it. Your password alone now opens your account: set a second factor up again in your profile.',
    ],
    footnote: notYou,
  }
}

/** To the mailboxes of an account that got a passkey. */
export function passkeyAddedLetter(name: string, isFirst: boolean): Letter {
  const after = isFirst ? ' From now on a sign-in with your password also needs it. Your other sign-ins have ended.' : ''
  return {
    subject: 'A passkey was added to your Meterbook account',
    paragraphs: [`The passkey “${name}” now signs in to your account without a password.${after}`],
    footnote: notYou,
  }
}

/** To the mailboxes of an account of which a passkey was removed. */
export function passkeyRemovedLetter(name: string, isLast: boolean): Letter {
  const after = isLast ? ' Your password alone now opens your account.' : ''
  return {
    subject: 'A passkey of your Meterbook account was removed',
    paragraphs: [`The passkey “${name}” does not sign in any more.${after}`],
    footnote: notYou,
  }
}

export function recoveryCodesRenewedLetter(): Letter {
  return {
    subject: 'New recovery codes were made for your Meterbook account',
    paragraphs: ['The recovery codes of before are not valid any more.'],
    footnote: notYou,
  }
}

export function recoveryCodeUsedLetter(): Letter {
  return {
    subject: 'A recovery code of your Meterbook account was used',
    paragraphs: ['Somebody signed in with your password and one of your recovery codes. That code is not valid any more.'],
    footnote: notYou,
  }
}

/** To the mailboxes of an account whose password was followed by too many wrong codes. */
export function wrongCodesLetter(): Letter {
  return {
    subject: 'Wrong codes at a sign-in to your Meterbook account',
    paragraphs: [
      'Somebody gave your password and then several wrong codes or passkeys. Nobody was signed in.',
      'If it was not you, somebody knows your password: set a new one at once.',
    ],
    footnote: notYou,
  }
}
