// SPDX-License-Identifier: GPL-2.0-only
/* gcc makes one code of the ends of cases: case 3 comes to that of case 2 in the middle of a line. As in bzip2, whose
 * indentation this is, by three. */
typedef unsigned char UChar;
typedef struct { UChar *block; unsigned state_in_ch; int state_in_len; unsigned crc; int nblock; UChar inUse[256]; } EState;
unsigned table[256];
static UChar bytes[4096];
__attribute__((noipa)) static void add(EState *s)
{
   int i;
   UChar ch = (UChar)(s->state_in_ch);
   for (i = 0; i < s->state_in_len; i++) {
      s->crc = (s->crc << 8) ^ table[(s->crc >> 24) ^ ch];
   }
   s->inUse[s->state_in_ch] = 1;
   switch (s->state_in_len) {
      case 1:
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         break;
      case 2:
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         break;
      case 3:
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         s->block[s->nblock] = (UChar)ch; s->nblock++; /* HERE */
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         break;
      default:
         s->inUse[s->state_in_len-4] = 1;
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         s->block[s->nblock] = (UChar)ch; s->nblock++;
         s->block[s->nblock] = ((UChar)(s->state_in_len-4));
         s->nblock++;
         break;
   }
}
int main(void)
{
	EState s = {.block = bytes};
	for (int i = 0; i < 35; i++) { s.state_in_ch = i; s.state_in_len = i % 5 == 0 ? 3 : i % 5 > 2 ? 2 : 1; add(&s); }
	return s.nblock != 63;
}
