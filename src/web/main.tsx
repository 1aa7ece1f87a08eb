import './ui/first.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/base.css'
import { App, askEarly } from './app.tsx'
import { hereAddress, leaveForSignIn, readCredentials } from './kernel/credentials.ts'

const root = document.getElementById('root')

// Nothing of the console is drawn for a visitor who is not signed in; the sign-in page leads back here.
if (!readCredentials()) leaveForSignIn(hereAddress())
else if (root) {
  askEarly(location)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
