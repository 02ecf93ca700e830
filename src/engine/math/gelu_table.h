/* a R(a) (act.h) around a_i: c0 + c1 d + ... + c6 d^6, d = a - a_i, at most 2^-26.7 from it, for the 16 intervals between a^2 = 2^n - 1.40625 and
 * 3 2^(n-1) - 1.40625. Column (bits of a^2 + 1.40625) >> 22 & 15 belongs to a; the one of a = 0 is column 14. Each a_i was chosen so that c0 is
 * exact to 2^-33, as S. Gal does in "Computing elementary functions: a new approach for achieving high accuracy and good performance" (1986). */
#ifndef WN_MATH_GELU_TABLE_H
#define WN_MATH_GELU_TABLE_H
#define WN__GELU_FROM 1.40625f
static const float wn__gelu_table[8][16] __attribute__((aligned(64))) = {
    {0x1.04360ep0f, 0x1.6fba44p0f, 0x1.e07b9ep0f, 0x1.2d81ap1f, 0x1.74a5cp1f, 0x1.c4ca4ep1f, 0x1.125a98p2f, 0x1.491a38p2f,
     0x1.8b6e0ap2f, 0x1.d79b76p2f, 0x1.1a316ep3f, 0x1.4fa04p3f, 0x1.90eb42p3f, 0x1.c67deep3f, 0, 0x1.13a568p-1f}, /* a_i */
    {0x1.0ded86p-2f, 0x1.3756c6p-2f, 0x1.52923cp-2f, 0x1.6582c8p-2f, 0x1.7391fap-2f, 0x1.7d9fd8p-2f, 0x1.852fb2p-2f, 0x1.8a8e28p-2f,
     0x1.8e902p-2f, 0x1.91600cp-2f, 0x1.937454p-2f, 0x1.94e67p-2f, 0x1.95f666p-2f, 0x1.968562p-2f, 0, 0x1.7830f4p-3f}, /* c0 */
    {0x1.f2c32ep-4f, 0x1.349de2p-4f, 0x1.88e0dcp-5f, 0x1.fa1578p-6f, 0x1.4111c2p-6f, 0x1.980f12p-7f, 0x1.fafc82p-8f, 0x1.3bd57ep-8f,
     0x1.80c7f4p-9f, 0x1.d7ce2ap-10f, 0x1.1b7d96p-10f, 0x1.5808ap-11f, 0x1.99e15cp-12f, 0x1.1ba038p-12f, 0x1p-1f, 0x1.cd6bc6p-3f}, /* c1 */
    {-0x1.2cdf7ap-4f, -0x1.4e1d68p-5f, -0x1.7dbe2cp-6f, -0x1.b81a5ap-7f, -0x1.ef1f84p-8f, -0x1.15a48p-8f, -0x1.2cf95ep-9f, -0x1.45fb9cp-10f,
     -0x1.5591fcp-11f, -0x1.67b71cp-12f, -0x1.6fead8p-13f, -0x1.7c5efap-14f, -0x1.7f215p-15f, -0x1.d630c6p-16f, -0x1.98843p-2f, -0x1.3ca28ap-3f}, /* c2 */
    {0x1.26dd3ap-5f, 0x1.2945fep-6f, 0x1.3415aep-7f, 0x1.410dc4p-8f, 0x1.434934p-9f, 0x1.42b5dap-10f, 0x1.33a412p-11f, 0x1.23a1fep-12f,
     0x1.0854f8p-13f, 0x1.e07168p-15f, 0x1.a3c58cp-16f, 0x1.72cc98p-17f, 0x1.3c68fcp-18f, 0x1.58d744p-19f, 0x1.fff356p-3f, 0x1.5bc0c4p-4f}, /* c3 */
    {-0x1.f6874p-7f, -0x1.d0422p-8f, -0x1.b7a98cp-9f, -0x1.a15f5cp-10f, -0x1.7b0f2ep-11f, -0x1.530f08p-12f, -0x1.1e48p-13f, -0x1.ddd6b2p-15f,
     -0x1.789922p-16f, -0x1.282d3ep-17f, -0x1.bc5548p-19f, -0x1.50316ap-20f, -0x1.e71f4p-22f, -0x1.f2eb26p-23f, -0x1.0f98b6p-3f, -0x1.487e5cp-5f}, /* c4 */
    {0x1.860cc2p-8f, 0x1.49a61ap-9f, 0x1.2121acp-10f, 0x1.f39b64p-12f, 0x1.9fc924p-13f, 0x1.4da248p-14f, 0x1.f9674cp-16f, 0x1.725e2p-17f,
     0x1.01b59cp-18f, 0x1.5d1774p-20f, 0x1.c7e4fcp-22f, 0x1.251ef4p-23f, 0x1.6e0c96p-25f, 0x1.24e53ep-26f, 0x1.ebe6fep-5f, 0x1.189056p-6f}, /* c5 */
    {-0x1.14816p-9f, -0x1.7a9602p-11f, -0x1.5f86ap-12f, -0x1.14e4f8p-13f, -0x1.a5960ap-15f, -0x1.416554p-16f, -0x1.9f8922p-18f, -0x1.0d40d6p-19f,
     -0x1.4c250cp-21f, -0x1.bcbcdcp-23f, -0x1.ba2356p-25f, -0x1.ece2cep-27f, -0x1.06b5cep-28f, 0x1.b5b052p-25f, -0x1.348ab6p-6f, -0x1.b4d568p-8f}, /* c6 */
};
#endif
