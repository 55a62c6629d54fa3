import '../../tokens.css'
import './sign-in.css'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { ENROLLMENT_PATH, LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { readToken } from '../../api/session.ts'
import { reportUncaught } from '../../api/error-log.ts'
import { showBrandColor } from '../../brand/brand.ts'
import { EnrollmentPage } from './EnrollmentPage.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'
import { PasswordsOffPage } from './PasswordsOffPage.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { nextPath } from './next-path.ts'
import { takeTokenFromAddress } from './reset-link.ts'
import { takeArrivalFromAddress } from './sign-on-address.ts'
import { SignInPage } from './SignInPage.tsx'
import { UnauthorizedPage } from './UnauthorizedPage.tsx'
import { isPasswordSignInOff } from './ways-in.ts'
import { language } from './words/index.ts'

takeTokenFromAddress()
const arrival = takeArrivalFromAddress()
reportUncaught()
showBrandColor()
document.documentElement.lang = language

const pages: Record<string, ComponentType> = {
  [LOGIN_PATH]: () => <SignInPage arrival={arrival} />,
  [ENROLLMENT_PATH]: EnrollmentPage,
  '/forgot-password': isPasswordSignInOff() ? PasswordsOffPage : ForgotPasswordPage,
  '/unauthorized': UnauthorizedPage,
}

if (location.pathname === LOGIN_PATH && readToken() && !arrival) {
  location.replace(nextPath(location.search))
} else {
  const Page = pages[location.pathname] ?? SignInPage
  createRoot(document.querySelector('#root')!).render(
    <ErrorBoundary>
      <SignInFrame>
        <Page />
      </SignInFrame>
    </ErrorBoundary>,
  )
}
