/* The text of the file that REPORTS names, once for each type of reports that are one integer. */
#define REPORT_BITS 8
#define REPORT u8
#include REPORTS
#undef REPORT_BITS
#undef REPORT
#define REPORT_BITS 16
#define REPORT u16
#include REPORTS
#undef REPORT_BITS
#undef REPORT
#define REPORT_BITS 32
#define REPORT u32
#include REPORTS
#undef REPORT_BITS
#undef REPORT
#undef REPORTS
