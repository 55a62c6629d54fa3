// Declarations that merge into other packages' types are seen only where their files are imported.
/// <reference types="@roadshow/test-kit/database" />
import type * as readiness from '../src/platform/http/readiness.ts'
export type { readiness }
