// Declarations of message catalogues, which <locale> names. A use fails to link.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
char* gettext(const char* text);
char* dgettext(const char* domain, const char* text);
char* textdomain(const char* domain);
char* bindtextdomain(const char* domain, const char* folder);
char* bind_textdomain_codeset(const char* domain, const char* codeset);
#ifdef __cplusplus
}
#endif
